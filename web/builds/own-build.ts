/** The build that this page is of; undefined where it does not come from a build. */
export const ownBuildId = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content

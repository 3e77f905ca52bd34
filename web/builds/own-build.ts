/** The id of the build of this page; undefined if the page does not come from a build. */
export const ownBuildId = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content

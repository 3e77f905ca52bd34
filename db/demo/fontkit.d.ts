declare module 'fontkit' {
  /** The part of the package's interface that the demo uses; the package has no types. */
  export function create(bytes: Uint8Array): { layout(text: string): unknown }
}

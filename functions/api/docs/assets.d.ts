declare module '*.css' {
  const text: string;
  export default text;
}
declare module '*.html' {
  const text: string;
  export default text;
}
/** A TypeScript entry for the browser, bundled by the build: `./page/main.bundle.js` is made of `./page/main.ts`. */
declare module '*.bundle.js' {
  const text: string;
  export default text;
}

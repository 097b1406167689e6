declare module 'aws4' {
  interface Signed {
    path?: string;
  }
  function sign(
    request: { service: string; region: string; host: string; path: string; signQuery: boolean },
    credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string },
  ): Signed;
  export default { sign };
}

declare module 'aws4' {
  interface Signed {
    path?: string;
    headers?: Record<string, string>;
  }
  interface Request {
    service: string;
    region: string;
    host: string;
    path?: string;
    method?: string;
    body?: string;
    signQuery?: boolean;
    headers?: Record<string, string>;
    extraHeadersToIgnore?: Record<string, boolean>;
    extraHeadersToInclude?: Record<string, boolean>;
  }
  function sign(
    request: Request,
    credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string },
  ): Signed;
  export default { sign };
}

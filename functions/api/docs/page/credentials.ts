/** How this page signs in. Stays in this tab's memory. */
export type SignIn =
  | { kind: 'none' }
  | { kind: 'iam'; accessKeyId: string; secretAccessKey: string; sessionToken: string; region: string }
  | { kind: 'jwt'; token: string };

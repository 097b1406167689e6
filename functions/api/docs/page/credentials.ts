/** How calls of this page prove who they are. It stays in this tab's memory. */
export type SignIn =
  | { kind: 'none' }
  | { kind: 'iam'; accessKeyId: string; secretAccessKey: string; sessionToken: string; region: string }
  | { kind: 'jwt'; token: string };

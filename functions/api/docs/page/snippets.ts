import type { SignIn } from './sign-in.ts';

export const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

interface Call {
  readonly id: string;
  readonly url: string;
  /** Route of the operation, the end of `url`. */
  readonly path: string;
  /** JSON text. */
  readonly body: string;
  readonly signIn: SignIn;
}

/** The call of the editor, to run elsewhere. Credentials are read from the environment, never written into it. */
export function snippet(language: Language, call: Call): string {
  switch (language) {
    case 'curl':
      return curl(call);
    case 'TypeScript':
      return typescript(call);
    case 'Python':
      return python(call);
  }
}

function curl({ url, body, signIn }: Call): string {
  const lines = [`curl -s ${quote(url)}`, ...curlSignIn(signIn), `-H 'content-type: application/json'`];
  return [...lines, `-d ${quote(oneLine(body))}`].join(' \\\n  ');
}

function curlSignIn(signIn: SignIn): string[] {
  if (signIn.kind === 'jwt') return ['-H "authorization: Bearer $TOKEN"'];
  if (signIn.kind === 'none') return [];
  return [
    `--aws-sigv4 aws:amz:${signIn.region || '$AWS_REGION'}:execute-api`,
    '--user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY"',
    '-H "x-amz-security-token: $AWS_SESSION_TOKEN"',
  ];
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function oneLine(body: string): string {
  try {
    JSON.parse(body);
  } catch {
    return body; // not JSON yet: as it was typed
  }
  return body.replaceAll(/\s*\n\s*/g, ' ');
}

function typescript({ id, url, path, body, signIn }: Call): string {
  const base = JSON.stringify(url.slice(0, -path.length));
  const headers = signIn.kind === 'jwt' ? ', headers: { authorization: `Bearer ${process.env.TOKEN}` }' : '';
  const signed = ', fetch: (url, init) => aws.fetch(url, init)';
  return [
    ...(signIn.kind === 'iam' ? [`import { AwsClient } from 'aws4fetch';`] : []),
    `import { createClient, httpTransport } from 'mdm-stream-functions';`,
    '',
    ...(signIn.kind === 'iam' ? [AWS_CLIENT] : []),
    `const client = createClient(httpTransport({ url: ${base}${signIn.kind === 'iam' ? signed : headers} }));`,
    `const output = await client.invoke('${id}', ${body});`,
  ].join('\n');
}

const AWS_CLIENT = `const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
const aws = new AwsClient({
  accessKeyId: AWS_ACCESS_KEY_ID!,
  secretAccessKey: AWS_SECRET_ACCESS_KEY!,
  sessionToken: AWS_SESSION_TOKEN,
  service: 'execute-api',
});`;

function python({ id, body }: Call): string {
  return `import json, boto3

payload = json.loads(r'''${body}''')
reply = boto3.client("lambda").invoke(FunctionName="mdm-stream-dev-${id}", Payload=json.dumps(payload))
output = json.load(reply["Payload"])
if "FunctionError" in reply:
    raise RuntimeError(f"{output['errorType']}: {output['errorMessage']}")
print(output)`;
}

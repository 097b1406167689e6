import type { SignIn } from './credentials.ts';

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

/** The editor's call, to run elsewhere. It reads credentials from the environment and never contains them. */
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
    return body; // not JSON yet: as typed
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
    'console.log(output);',
  ].join('\n');
}

const AWS_CLIENT = `const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
const aws = new AwsClient({
  accessKeyId: AWS_ACCESS_KEY_ID!,
  secretAccessKey: AWS_SECRET_ACCESS_KEY!,
  sessionToken: AWS_SESSION_TOKEN,
  service: 'execute-api',
});`;

function python({ url, body, signIn }: Call): string {
  return [
    ...(needsEnvironment(signIn) ? ['import os'] : []),
    'import urllib.error',
    'import urllib.request',
    ...(signIn.kind === 'iam' ? ['', ...BOTOCORE] : []),
    '',
    `body = ${pythonText(body)}`,
    `headers = {"content-type": "application/json", "accept": "application/json"}`,
    ...pythonSignIn(url, signIn),
    `request = urllib.request.Request(${pythonText(url)}, body.encode(), headers)`,
    'try:',
    '    with urllib.request.urlopen(request) as response:',
    '        print(response.read().decode())',
    'except urllib.error.HTTPError as error:',
    '    raise SystemExit(error.read().decode())',
  ].join('\n');
}

const needsEnvironment = (signIn: SignIn) => signIn.kind === 'jwt' || (signIn.kind === 'iam' && !signIn.region);

const BOTOCORE = [
  'from botocore.auth import SigV4Auth',
  'from botocore.awsrequest import AWSRequest',
  'from botocore.session import Session',
];

function pythonSignIn(url: string, signIn: SignIn): string[] {
  if (signIn.kind === 'jwt') return ['headers["authorization"] = f"Bearer {os.environ[\'TOKEN\']}"'];
  if (signIn.kind === 'none') return [];
  const region = signIn.region ? pythonText(signIn.region) : 'os.environ["AWS_REGION"]';
  return [
    `signed = AWSRequest("POST", ${pythonText(url)}, headers, body.encode())`,
    `SigV4Auth(Session().get_credentials(), "execute-api", ${region}).add_auth(signed)`,
    'headers = dict(signed.headers)',
  ];
}

/** Text as a Python literal: between triple quotes, escaped if it would end them. */
function pythonText(text: string): string {
  const isPlain = text.includes('\n') && !text.includes("'''") && !/[\\'\r]$/.test(text);
  return isPlain ? `r'''${text}'''` : JSON.stringify(text);
}

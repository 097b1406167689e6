import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/*
 * As much of STS, CloudFormation and S3 as a deployment calls, on loopback: a stack that is created or updated by
 * change sets, and a bucket with what was uploaded.
 */

export interface AwsEndpoint {
  readonly url: string;
  /** `STS GetCallerIdentity`, `CloudFormation CreateChangeSet`, `S3 PUT key`, in order. */
  readonly calls: string[];
  /** What the bucket of the deployment holds, by key. */
  readonly objects: ReadonlyMap<string, Buffer>;
  /** The template that was executed last. */
  readonly template: () => ExecutedTemplate | undefined;
  /** The tags that the stack got with it. */
  readonly tags: () => Readonly<Record<string, string>>;
  /** Makes a template the one that is deployed, as by an earlier version; undefined: only the stack's name is known. */
  deployed(template: ExecutedTemplate | undefined, status?: string): void;
  /** Denies an action of CloudFormation from now on: `CreateChangeSet`. */
  deny(action: string): void;
  allowAll(): void;
  close(): Promise<void>;
}

interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
}

interface ExecutedTemplate {
  Metadata?: Record<string, unknown>;
  Resources: Record<string, Resource>;
}

type Fields = Record<string, string>;

interface Change {
  readonly template: string;
  readonly type: string;
  readonly tags: Record<string, string>;
}

const ACCOUNT = '123456789012';
const BUCKET = 'ServerlessDeploymentBucket';

export async function startAwsEndpoint(): Promise<AwsEndpoint> {
  const stack = new Stack();
  const objects = new Map<string, Buffer>();
  const calls: string[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      if (!/x-www-form-urlencoded/.test(request.headers['content-type'] ?? '')) {
        return respondS3(request, response, body, objects, calls);
      }
      const form = Object.fromEntries(new URLSearchParams(body.toString()));
      calls.push(`${form.Action === 'GetCallerIdentity' ? 'STS' : 'CloudFormation'} ${form.Action}`);
      const { status, xml } = stack.respond(form, objects);
      response.writeHead(status, { 'content-type': 'text/xml' }).end(xml);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    objects,
    template: () => stack.executed,
    tags: () => stack.tags,
    deployed: (template, status) => stack.deployed(template, status),
    deny: (action) => void stack.denied.add(action),
    allowAll: () => stack.denied.clear(),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function respondS3(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  objects: Map<string, Buffer>,
  calls: string[],
): void {
  const { pathname, searchParams } = new URL(url!, 'http://s3');
  const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
  calls.push(`S3 ${method} ${key}${searchParams.has('list-type') ? 'list' : ''}`.trim());
  if (method === 'PUT') objects.set(key, body);
  if (method === 'DELETE') objects.delete(key);
  if (method === 'PUT' || method === 'HEAD' || method === 'DELETE')
    return void response.writeHead(200, { etag: '"0"' }).end();
  if (searchParams.has('location')) return void response.end('<LocationConstraint>eu-central-1</LocationConstraint>');
  if (objects.has(key)) return void response.end(objects.get(key));
  const contents = [...objects.keys()].map((name) => `<Contents><Key>${name}</Key></Contents>`).join('');
  response.end(`<ListBucketResult><KeyCount>${objects.size}</KeyCount>${contents}</ListBucketResult>`);
}

/** One stack, by the query protocol. */
class Stack {
  readonly denied = new Set<string>();
  executed?: ExecutedTemplate;
  tags: Record<string, string> = {};
  #status = '';
  #change: Change = { template: '', type: '', tags: {} };
  #executions = 0;
  #events: { id: string; type: string; status: string }[] = [];

  deployed(template: ExecutedTemplate | undefined, status = 'CREATE_COMPLETE'): void {
    this.executed = template;
    this.#status = status;
  }

  respond(form: Fields, objects: ReadonlyMap<string, Buffer>): { status: number; xml: string } {
    const { Action = '' } = form;
    if (this.denied.has(Action)) return refusal(403, 'AccessDenied', `You may not perform: cloudformation:${Action}`);
    if (Action === 'DescribeStacks' && this.#status === '') return missing(form.StackName!);
    if (Action === 'GetTemplate' && this.#status === '') return missing(form.StackName!);
    if (Action === 'DescribeStackResource' && this.#status === '') return missing(form.StackName!);
    const sent = { template: templateOf(form, objects), type: form.ChangeSetType ?? 'CREATE', tags: tagsIn(form) };
    if (Action === 'CreateChangeSet') this.#change = sent;
    if (Action === 'CreateStack') this.#execute(sent, form.StackName!);
    if (Action === 'ExecuteChangeSet') this.#execute(this.#change, form.StackName!);
    const result = this.#resultOf(Action, form);
    return {
      status: 200,
      xml: xml({ [`${Action}Response`]: xml({ [`${Action}Result`]: result }) + REQUEST }),
    };
  }

  #execute({ template, type, tags }: Change, name: string): void {
    this.executed = JSON.parse(template) as ExecutedTemplate;
    this.tags = tags;
    this.#executions++;
    const verb = type === 'CREATE' ? 'CREATE' : 'UPDATE';
    this.#status = `${verb}_COMPLETE`;
    this.#events = [
      { id: name, type: 'AWS::CloudFormation::Stack', status: this.#status },
      { id: name, type: 'AWS::CloudFormation::Stack', status: `${verb}_IN_PROGRESS` },
    ];
  }

  #changes(): string {
    const before = this.executed?.Resources ?? {};
    const after = this.#change.template === '' ? {} : (JSON.parse(this.#change.template) as ExecutedTemplate).Resources;
    const ids = Object.keys({ ...before, ...after });
    return ids.map((id) => changeOf(id, before[id], after[id])).join('');
  }

  #resultOf(action: string, { StackName = '', LogicalResourceId = BUCKET, ChangeSetName = 'c' }: Fields): string {
    const name = StackName.split('/').at(-2) ?? StackName; // an ARN, or the name itself
    const id = xml({ StackId: `arn:aws:cloudformation:eu-central-1:${ACCOUNT}:stack/${name}/1`, StackName: name });
    switch (action) {
      case 'GetCallerIdentity':
        return `<Account>${ACCOUNT}</Account><Arn>arn:aws:iam::${ACCOUNT}:user/deployer</Arn><UserId>U</UserId>`;
      case 'DescribeStacks':
        return xml({ Stacks: xml({ member: id + this.#stack() }) });
      case 'DescribeChangeSet':
        return `<Status>CREATE_COMPLETE</Status><ExecutionStatus>AVAILABLE</ExecutionStatus><ChangeSetName>${ChangeSetName}</ChangeSetName>${id}<Changes>${this.#changes()}</Changes>`;
      case 'GetTemplate':
        return `<TemplateBody>${this.executed ? escaped(JSON.stringify(this.executed)) : ''}</TemplateBody>`;
      case 'CreateChangeSet':
        return `<Id>arn:aws:cloudformation:eu-central-1:${ACCOUNT}:changeSet/${ChangeSetName}/1</Id>${id}`;
      case 'DescribeStackEvents':
        return xml({ StackEvents: this.#events.map((_, at) => xml({ member: id + this.#event(at) })).join('') });
      case 'DescribeStackResource':
        return xml({ StackResourceDetail: resourceXml(LogicalResourceId, 'deployment-bucket', 'AWS::S3::Bucket') });
      default:
        return id;
    }
  }

  #stack(): string {
    const output = xml({ OutputKey: `${BUCKET}Name`, OutputValue: 'deployment-bucket' });
    const Outputs = xml({ member: output });
    return xml({ StackStatus: this.#status, CreationTime: '2026-01-01T00:00:00Z', Outputs });
  }

  #event(at: number): string {
    const { id, type, status } = this.#events[at]!;
    const of = { EventId: `${this.#executions}-${at}`, Timestamp: new Date().toISOString() };
    return xml(of) + resourceXml(id, id, type, status);
  }
}

/** Elements with these contents, in their order. */
const xml = (contents: Record<string, string>) =>
  Object.entries(contents)
    .map(([name, text]) => `<${name}>${text}</${name}>`)
    .join('');

const REQUEST = xml({ ResponseMetadata: xml({ RequestId: 'r' }) });

function resourceXml(logical: string, physical: string, type: string, status = 'CREATE_COMPLETE'): string {
  return xml({
    LogicalResourceId: logical,
    PhysicalResourceId: physical,
    ResourceType: type,
    ResourceStatus: status,
  });
}

/** A change of a change set: of one resource. A changed name replaces it. */
function changeOf(id: string, before: Resource | undefined, after: Resource | undefined): string {
  if (JSON.stringify(before) === JSON.stringify(after)) return '';
  const action = before === undefined ? 'Add' : after === undefined ? 'Remove' : 'Modify';
  const names = Object.keys({ ...before?.Properties, ...after?.Properties }).filter(
    (name) => JSON.stringify(before?.Properties[name]) !== JSON.stringify(after?.Properties[name]),
  );
  const replacement = names.some((name) => name.endsWith('Name')) ? 'True' : 'False';
  const details = names.map(
    (name) => `<member><Target><Attribute>Properties</Attribute><Name>${name}</Name></Target></member>`,
  );
  const ofChange =
    action === 'Modify' ? `<Replacement>${replacement}</Replacement><Details>${details.join('')}</Details>` : '';
  const type = (after ?? before)!.Type;
  return `<member><Type>Resource</Type><ResourceChange><Action>${action}</Action><LogicalResourceId>${id}</LogicalResourceId><ResourceType>${type}</ResourceType>${ofChange}</ResourceChange></member>`;
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

function templateOf({ TemplateBody, TemplateURL }: Fields, objects: ReadonlyMap<string, Buffer>): string {
  if (TemplateBody) return TemplateBody;
  const key = [...objects.keys()].find((name) => TemplateURL?.endsWith(name));
  return key === undefined ? '' : objects.get(key)!.toString();
}

/** The tags of a call, which the query protocol numbers: `Tags.member.1.Key`. */
function tagsIn(form: Fields): Record<string, string> {
  const keys = Object.entries(form).filter(([name]) => /^Tags\.member\.\d+\.Key$/.test(name));
  return Object.fromEntries(keys.map(([name, key]) => [key, form[name.replace(/Key$/, 'Value')]!]));
}

const missing = (name: string) => refusal(400, 'ValidationError', `Stack with id ${name} does not exist`);

function refusal(status: number, Code: string, Message: string): { status: number; xml: string } {
  const error = xml({ Type: 'Sender', Code, Message });
  return { status, xml: xml({ ErrorResponse: xml({ Error: error, RequestId: 'r' }) }) };
}

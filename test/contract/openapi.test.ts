import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { registry } from '#functions/registry.ts';
import { byGroup, GROUP_NAMES } from '#lib/contract/groups.ts';
import { goldenKey, sourceKey } from '#lib/contract/parameters/mdm.ts';
import { validate } from '#lib/contract/validation.ts';
import { callerSchema } from '#scripts/generate/caller-schema.ts';
import { openapiFile } from '#scripts/generate/openapi/document.ts';

interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: { type: string; status: number } }>;
}
interface Response {
  $ref?: string;
  headers?: object;
  content?: Record<string, Media>;
}
interface Document {
  security: object[];
  tags: { name: string; description: string }[];
  paths: Record<
    string,
    { post: { operationId: string; tags: string[]; requestBody: object; responses: Record<string, Response> } }
  >;
  components: {
    schemas: Record<string, { required?: string[]; oneOf?: { required: string[]; properties: object }[] }>;
    responses: Record<string, Response>;
    headers: Record<string, object>;
    securitySchemes: Record<string, object>;
  };
}

const document = JSON.parse(openapiFile(registry).contents) as Document;
const { schemas } = document.components;
const operations = Object.values(document.paths).map(({ post }) => post);
const resolve = (response: Response) =>
  response.$ref ? document.components.responses[response.$ref.split('/').at(-1)!]! : response;

/** Every value of a keyword, at any depth. */
function valuesOf(keyword: string, node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => [
    ...(name === keyword && !Array.isArray(node) ? [value as unknown] : []),
    ...valuesOf(keyword, value),
  ]);
}

/** Every object inside a value, and the value itself. */
const objectsIn = (node: unknown): Record<string, unknown>[] =>
  typeof node === 'object' && node !== null
    ? [node as Record<string, unknown>, ...Object.values(node).flatMap(objectsIn)]
    : [];

describe('the OpenAPI document', () => {
  it('the OpenAPI document has the route of every operation that HTTP reaches', () => {
    const routed = byGroup(registry.filter(({ deploy }) => deploy.http)).map(({ route }) => route);

    expect(Object.keys(document.paths)).toEqual(routed);
  });

  it('the OpenAPI document groups operations by topic, and says where one without a route is', () => {
    const groupOf = (id: string) => operations.find(({ operationId }) => operationId === id)!.tags;

    expect(document.tags.map(({ name }) => name)).toEqual(GROUP_NAMES);
    expect([
      groupOf('mdm-search'),
      groupOf('mdm-source-systems'),
      groupOf('stream-xadd'),
      groupOf('stream-pause'),
    ]).toEqual(GROUP_NAMES.map((name) => [name]));
    const unrouted = registry.filter(({ deploy }) => !deploy.http);
    expect(unrouted.length).toBeGreaterThan(0);
    for (const { name, group } of unrouted)
      expect(document.tags.find((tag) => tag.name === group)!.description).toContain(`\`${name}\``);
  });

  it('the OpenAPI document names every form of an input, and has no enum of booleans, which generators skip', () => {
    const forms = valuesOf('oneOf', document).flat();

    expect(forms.length).toBeGreaterThan(30);
    expect(forms.filter((form) => !Object.hasOwn(form as object, '$ref'))).toEqual([]);
    expect(
      valuesOf('enum', document).filter((values) => (values as unknown[]).some((one) => typeof one === 'boolean')),
    ).toEqual([]);
  });

  it('the OpenAPI document has patterns that compile with and without the u flag, and without special syntax', () => {
    const patterns = valuesOf('pattern', schemas).filter((pattern) => typeof pattern === 'string');

    expect(patterns.length).toBeGreaterThan(5);
    for (const pattern of patterns) {
      expect(() => [new RegExp(pattern), new RegExp(pattern, 'u')]).not.toThrow();
      expect(pattern).not.toMatch(/\\[pPu]|\\x(?![\dA-Fa-f]{2})|(?<!\\)\(\?/);
    }
  });

  const python = spawnSync('python3', ['--version']).status === 0;
  (python ? it : it.skip)('has patterns that Python compiles, and RE2: without look-around and references', () => {
    const patterns = valuesOf('pattern', schemas).filter((pattern) => typeof pattern === 'string');

    const program = 'import json, re, sys\nfor text in json.load(sys.stdin): re.compile(text)';
    const { status, stderr } = spawnSync('python3', ['-c', program], {
      input: JSON.stringify(patterns),
      encoding: 'utf8',
    });

    expect([status, stderr]).toEqual([0, '']);
    for (const pattern of patterns) expect(pattern).not.toMatch(/\(\?[=!<]|\\[1-9k]/);
  });

  it('the OpenAPI document bounds every integer of an input, so JSON.parse rounds none', () => {
    const inputs = Object.entries(schemas).flatMap(([name, schema]) => (name.endsWith('Input') ? [schema] : []));
    const integers = objectsIn(inputs).filter(({ type }) => type === 'integer');

    expect(integers.length).toBeGreaterThan(20);
    expect(integers.filter(({ maximum }) => maximum === undefined)).toEqual([]);
  });

  it('the OpenAPI document refuses keys in a path as the operations do', () => {
    const { sourcePKey, businessId } = { ...sourceKey, ...goldenKey };
    const texts = [
      '',
      '.',
      '..',
      '...',
      '..a',
      '.a',
      'a..',
      'a/b',
      'a\\b',
      'a%b',
      'a"b',
      'a\nb',
      'a\u0085',
      'ä 1',
      '😀',
    ];

    for (const key of [sourcePKey, businessId]) {
      const pattern = new RegExp(callerSchema(key).pattern!);
      const accepted = texts.filter((text) => pattern.test(text));
      expect(accepted).toEqual(texts.filter((text) => validate(key, text).length === 0));
      expect(accepted).toEqual(expect.arrayContaining(['...', '..a', '.a', 'a..', 'ä 1', '😀']));
    }
  });

  it('the OpenAPI document has Retry-After where a call may be retried later, and the ways to sign in', () => {
    const { headers, securitySchemes } = document.components;
    const responses = operations.flatMap((operation) => Object.entries(operation.responses));
    const withRetryAfter = responses
      .filter(([status]) => ['429', '503'].includes(status))
      .map(([, one]) => resolve(one));

    expect(withRetryAfter.length).toBeGreaterThan(50);
    for (const response of withRetryAfter)
      expect(response.headers).toEqual({ 'Retry-After': { $ref: '#/components/headers/RetryAfter' } });
    expect(headers.RetryAfter).toMatchObject({ schema: { type: 'integer' } });
    expect(Object.keys(securitySchemes)).toEqual(['iam', 'jwt']);
    expect(document.security).toEqual([{ iam: [] }, { jwt: [] }]);
  });

  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    'the OpenAPI document has for %s explicit statuses, each with an example of each of its types',
    (name, { responses }) => {
      const operation = registry.find((candidate) => candidate.name === name)!;
      const examples = Object.entries(responses).flatMap(([status, response]) =>
        Object.values(resolve(response).content?.['application/problem+json']?.examples ?? {}).map(
          ({ value }) => [status, value] as const,
        ),
      );

      expect(Object.keys(responses).every((status) => /^(\d{3}|default)$/.test(status))).toBe(true);
      for (const [status, problem] of examples) expect(problem).toMatchObject({ status: Number(status) });
      const types = new Set(examples.map(([, { type }]) => type));
      const errors = operation.errors.filter((type) => type !== 'CONNECTOR:CHECK'); // over HTTP a check returns 200
      const expected = [...errors, 'CONNECTOR:CONFIGURATION', 'CONNECTOR:INTERNAL'];
      expect([...types]).toEqual(expect.arrayContaining(expected));
    },
  );

  it('the OpenAPI document describes the id that XADD returns as JSON and as text', () => {
    const { content } = document.paths['/stream/xadd']!.post.responses['200']!;

    expect(Object.keys(content!)).toEqual(['application/json', 'text/plain']);
  });
});

import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { registry } from '../../functions/registry.ts';
import { openapiFile } from '../../scripts/generate/openapi.ts';

const document = JSON.parse(openapiFile(registry).contents) as {
  paths: Record<string, { post: { requestBody: { content: Record<string, { schema: { required?: string[] } }> } } }>;
};

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();

    expect(await validator.validate(document)).toMatchObject({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('has the route of every operation that HTTP reaches', () => {
    const routed = registry.filter(({ deploy }) => deploy.http).map(({ route }) => route);

    expect(Object.keys(document.paths)).toEqual(routed);
  });

  it('asks for no parameter that has a default', () => {
    const { schema } = document.paths['/stream/xadd']!.post.requestBody.content['application/json']!;

    expect(schema.required).toEqual(['key', 'entry']);
  });
});

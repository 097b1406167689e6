import { describe, expect, it } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { serveDocuments } from '#lib/endpoint/documents.ts';
import { httpEvent } from '#sandbox/aws/http-event.ts';

const handler = serveDocuments(
  {
    '/': { redirect: 'page' },
    '/page/': { redirect: '../page' },
    '/page': { contentType: 'text/html', text: '<p>Grüezi</p>' },
    '/page/part': { contentType: 'text/html', text: (base) => `<p>${base || 'root'}</p>` },
  },
  ['/stream/xadd'],
);
const serve = (...event: Parameters<typeof httpEvent>) => handler(httpEvent(...event), { awsRequestId: 'r-1' });

describe('documents', () => {
  it('documents are served at their paths', async () => {
    const response = await serve('GET', '/page');

    expect(response).toMatchObject({
      statusCode: 200,
      headers: { 'content-type': 'text/html' },
      body: '<p>Grüezi</p>',
    });
  });

  it('documents are gzipped if the client accepts it', async () => {
    const { headers, body, isBase64Encoded } = await serve('GET', '/page', undefined, { 'accept-encoding': 'gzip' });

    expect(headers).toMatchObject({ 'content-encoding': 'gzip' });
    expect(isBase64Encoded).toBe(true);
    expect(gunzipSync(Buffer.from(body!, 'base64')).toString()).toBe('<p>Grüezi</p>');
  });

  it.each([
    ['GET', '/other', 404, 'There is no GET /other: see GET /openapi.json'],
    ['GET', '/__proto__', 404, 'There is no GET /__proto__: see GET /openapi.json'],
    ['POST', '/stream/xadd', 404, 'There is no POST /stream/xadd: see GET /openapi.json'], // this deployment lacks it
    ['PUT', '/stream/xadd', 405, '/stream/xadd takes POST, not PUT'],
    ['POST', '/page', 405, '/page takes GET, not POST'],
  ])('a request for an unknown document or method gets a problem: %s %s', async (method, path, status, detail) => {
    const { statusCode, headers, body } = await serve(method, path);

    expect([statusCode, headers!['content-type']]).toEqual([status, 'application/problem+json']);
    expect(headers!.allow).toBe(/takes (\w+)/.exec(detail)?.[1]);
    expect(JSON.parse(body!)).toEqual({
      type: 'about:blank',
      title: status === 404 ? 'Not Found' : 'Method Not Allowed',
      status,
      detail,
      requestId: 'r-1',
      retryable: false,
      outcome: 'not-sent',
    });
  });
});

/** As an HTTP API sends it, of a custom domain that maps this path to the API. */
function serveUnder(base: string, route: string, path: string, proxy?: string) {
  const event = httpEvent('GET', base + path);
  const routed = { ...event, routeKey: `GET ${route}`, ...(proxy !== undefined && { pathParameters: { proxy } }) };
  return handler(routed, { awsRequestId: 'r-1' });
}

describe.each(['', '/v1', '/page', '/a/b'])('documents under the path %j of a domain', (base) => {
  it('documents are found, and name the addresses that a caller takes', async () => {
    expect(await serveUnder(base, '/page', '/page')).toMatchObject({ statusCode: 200, body: '<p>Grüezi</p>' });
    expect(await serveUnder(base, '/page/{proxy+}', '/page/part', 'part')).toMatchObject({
      statusCode: 200,
      body: `<p>${base || 'root'}</p>`,
    });
    const { body } = await serveUnder(base, '/{proxy+}', '/mdm/none', 'mdm/none');
    expect(JSON.parse(body!)).toMatchObject({
      status: 404,
      detail: 'There is no GET /mdm/none: see GET /openapi.json',
    });
  });

  it.each([
    ['/', '/'],
    ['/', ''],
    ['/page', '/page/'],
    ['/page/{proxy+}', '/page/'],
  ])('a redirect leads to the page: route %s, path %j', async (route, path) => {
    const { statusCode, headers } = await serveUnder(base, route, path);

    expect(statusCode).toBe(302);
    expect(new URL(headers!.location as string, `https://api.example${base}${path}`).pathname).toBe(`${base}/page`);
  });
});

import { describe, expect, it } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { serveDocuments } from '#lib/endpoint/documents.ts';
import { httpEvent } from '#sandbox/aws/http-event.ts';

const handler = serveDocuments({ '/page': { contentType: 'text/html', text: '<p>Grüezi</p>' } }, ['/stream/xadd']);
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

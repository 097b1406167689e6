import { describe, expect, it } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { serveDocuments } from '../../../lib/endpoint/documents.ts';
import { httpEvent } from '../../../sandbox/aws/http-event.ts';

const serve = serveDocuments({ '/page': { contentType: 'text/html', text: '<p>Grüezi</p>' } });

describe('documents', () => {
  it('are served by their path', async () => {
    const response = await serve(httpEvent('GET', '/page'));

    expect(response).toMatchObject({
      statusCode: 200,
      headers: { 'content-type': 'text/html' },
      body: '<p>Grüezi</p>',
    });
  });

  it('are gzipped where the client takes that', async () => {
    const { headers, body, isBase64Encoded } = await serve(
      httpEvent('GET', '/page', undefined, { 'accept-encoding': 'gzip' }),
    );

    expect(headers).toMatchObject({ 'content-encoding': 'gzip' });
    expect(isBase64Encoded).toBe(true);
    expect(gunzipSync(Buffer.from(body!, 'base64')).toString()).toBe('<p>Grüezi</p>');
  });

  it.each(['/other', '/__proto__', '/toString'])('are not found at %s', async (path) => {
    expect(await serve(httpEvent('GET', path))).toMatchObject({ statusCode: 404 });
  });
});

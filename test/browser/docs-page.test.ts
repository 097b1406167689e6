import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { BROWSERS, findProgram } from '../../scripts/test/ensure-installed.ts';
import { type HttpGateway, startHttpGateway } from '../support/http-gateway.ts';
import { type Lambda, startLambda } from '../../scripts/sandbox/lambda.ts';
import { type RedisServer, startRedisServer } from '../../scripts/sandbox/redis-server.ts';
import { type SecretsManager, startSecretsManager } from '../../scripts/sandbox/secrets-manager.ts';

let redis: RedisServer;
let secrets: SecretsManager;
let lambda: Lambda;
let gateway: HttpGateway;
let browser: Browser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  redis = await startRedisServer();
  secrets = await startSecretsManager({ 'test/default': { redis: { url: redis.url } } });
  lambda = await startLambda({
    env: { CONNECTOR_SECRET_PREFIX: 'test/', AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url, LOG_LEVEL: 'error' },
  });
  gateway = await startHttpGateway(lambda);
  browser = await chromium.launch({ executablePath: findChromium(), args: QUIET });
  page = await browser.newPage();
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('requestfailed', (request) => problems.push(`${request.url()} failed`));
  await page.goto(`${gateway.url}/docs`);
}, 60_000);

afterAll(async () => {
  await browser?.close();
  await gateway?.close();
  await lambda?.stop();
  await secrets?.close();
  await redis?.stop();
});

describe('the page at /docs, in Chromium', () => {
  it('lists every operation of the OpenAPI document', async () => {
    const { paths } = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as { paths: Record<string, unknown> };

    await page.locator('.opblock').first().waitFor();
    const listed = await page.locator('.opblock-summary-path').allInnerTexts();

    expect(listed.map((path) => path.replaceAll('\u200b', '')).sort()).toEqual(Object.keys(paths).sort());
    expect(problems).toEqual([]);
  });

  it("carries out an operation with the contract's example, and shows its true answer", async () => {
    const operation = await open('stream-xadd');

    await operation.locator('button.execute').click();
    const [status, body] = await responseOf(operation);

    const id = body.trim();
    expect([status, id]).toEqual(['200', expect.stringMatching(/^\d+-\d+$/)]);
    const { key, entry } = JSON.parse(await operation.locator('textarea').inputValue()) as XaddExample;
    expect(await redis.command('XRANGE', key, id, id)).toEqual([[id, Object.entries(entry).flat()]]);
  });

  it('shows the problem that a faulty input is refused with', async () => {
    const operation = await open('stream-xack');

    await operation.locator('textarea').fill('{"key":"orders","ids":[]}');
    await operation.locator('button.execute').click();
    const [status, body] = await responseOf(operation);

    expect(status).toBe('400');
    expect(JSON.parse(body)).toMatchObject({
      type: 'STREAM:ARGUMENT',
      errors: [{ pointer: '/group' }, { pointer: '/ids' }],
    });
  });
});

interface XaddExample {
  key: string;
  entry: Record<string, string>;
}

/** Unfolds an operation. */
async function open(name: string): Promise<Locator> {
  const operation = page.locator(`#operations-stream-${name}`);
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('textarea').waitFor();
  return operation;
}

/** Status and body of the answer that the page shows. */
async function responseOf(operation: Locator): Promise<[string, string]> {
  const answer = operation.locator('.live-responses-table tbody .response');
  const status = await answer.locator('.response-col_status').innerText();
  const body = await answer.locator('.response-col_description .highlight-code > pre').first().innerText();
  return [status.trim(), body];
}

/** Keeps Chromium from calling home. */
const QUIET = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

function findChromium(): string {
  const path = findProgram(BROWSERS);
  if (!path) throw new Error('This test needs Chromium. On Debian or Ubuntu: sudo apt-get install -y chromium');
  return path;
}

import { expect, it } from '@jest/globals';
import aws4 from 'aws4';
import { iamToken } from '../../../lib/redis/iam-token.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret/key+', sessionToken: 'session/token+=' };

it('the token is the request that another signer makes, without its scheme', async () => {
  const date = new Date('2026-02-03T04:05:06Z');

  const token = await iamToken(
    { userId: 'mdm-user', cacheName: 'Orders-Cache' },
    { credentials, region: 'eu-central-1' },
    date,
  );

  const signed = aws4.sign(
    {
      service: 'elasticache',
      region: 'eu-central-1',
      host: 'orders-cache',
      path: '/?Action=connect&User=mdm-user&X-Amz-Expires=900&X-Amz-Date=20260203T040506Z',
      signQuery: true,
    },
    credentials,
  );
  const queryOf = (text: string) => Object.fromEntries(new URLSearchParams(text.slice(text.indexOf('?'))));
  expect(token.startsWith('orders-cache/?')).toBe(true);
  expect(queryOf(token)).toEqual(queryOf(signed.path!));
});

import { expect, it } from '@jest/globals';
import { AwsV4Signer } from 'aws4fetch';
import { iamToken } from '#lib/redis/iam-token.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret/key+', sessionToken: 'session/token+=' };
const other = { ...credentials, secretAccessKey: 'another/key' };
const queryOf = (text: string) => Object.fromEntries(new URLSearchParams(text.slice(text.indexOf('?'))));

it.each([
  ['of a role', credentials],
  ['of the same key with another secret', other],
  ['of a role, once others were used', credentials],
  ['of another key with the same secret', { ...credentials, accessKeyId: 'AKIDOTHER' }],
])("the IAM token for the credentials %s matches another signer's", async (_, identity) => {
  const date = new Date('2026-02-03T04:05:06Z');
  const make = () =>
    iamToken(
      { userId: 'mdm-user', cacheName: 'Orders-Cache' },
      { credentials: identity, region: 'eu-central-1' },
      date,
    );

  const token = await make();
  const again = await make();

  const request = 'https://orders-cache/?Action=connect&User=mdm-user&X-Amz-Expires=900';
  const asked = { service: 'elasticache', region: 'eu-central-1', datetime: '20260203T040506Z', signQuery: true };
  const signed = await new AwsV4Signer({ url: request, ...asked, ...identity }).sign();
  expect(token.startsWith('orders-cache/?')).toBe(true);
  expect(queryOf(token)).toEqual(queryOf(signed.url.href));
  expect(again).toBe(token);
});

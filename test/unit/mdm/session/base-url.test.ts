import { expect, it } from '@jest/globals';
import { deriveBaseUrl } from '#lib/mdm/session/base-url.ts';

it.each([
  ['https://use4.dm-us.example.com/saas', 'https://use4-mdm.dm-us.example.com'],
  ['https://use4.dm-us.example.com/saas/', 'https://use4-mdm.dm-us.example.com'],
  ['https://use4-mdm.dm-us.example.com/saas', 'https://use4-mdm.dm-us.example.com'],
  ['https://use4.dm-us.example.com', 'https://use4-mdm.dm-us.example.com'],
  ['https://use4.dm-us.example.com:8443/saas', 'https://use4-mdm.dm-us.example.com:8443'],
  ['http://127.0.0.1:4000/saas', 'http://127.0.0.1:4000'],
  ['http://localhost:4000/saas', 'http://localhost:4000'],
  ['https://[2001:db8::1]/saas', 'https://[2001:db8::1]'],
])('the base URL of %s is %s', (apiUrl, baseUrl) => {
  expect(deriveBaseUrl(apiUrl)).toBe(baseUrl);
});

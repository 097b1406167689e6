import { describe, expect, it } from '@jest/globals';
import { checkSecure, deriveBaseUrl } from '../../../lib/mdm/base-url.ts';

describe('the base URL', () => {
  it.each([
    ['https://use4.dm-us.example.com/saas', 'https://use4-mdm.dm-us.example.com'],
    ['https://use4.dm-us.example.com/saas/', 'https://use4-mdm.dm-us.example.com'],
    ['https://use4-mdm.dm-us.example.com/saas', 'https://use4-mdm.dm-us.example.com'],
    ['https://use4.dm-us.example.com', 'https://use4-mdm.dm-us.example.com'],
    ['https://use4.dm-us.example.com:8443/saas', 'https://use4-mdm.dm-us.example.com:8443'],
    ['http://127.0.0.1:4000/saas', 'http://127.0.0.1:4000'],
    ['http://localhost:4000/saas', 'http://localhost:4000'],
    ['https://[2001:db8::1]/saas', 'https://[2001:db8::1]'],
  ])('of %s is %s', (apiUrl, baseUrl) => {
    expect(deriveBaseUrl(apiUrl)).toBe(baseUrl);
  });

  it.each(['https://a.example', 'http://localhost:1', 'http://127.0.0.1', 'http://127.8.8.8:1', 'http://[::1]:1'])(
    'may be %s',
    (address) => {
      expect(checkSecure(`${address}/`, 'baseUrl')).toBe(address);
    },
  );

  it.each(['http://a.example', 'http://127.0.0.1.example', 'http://localhost.example', 'http://10.0.0.1'])(
    'may not be %s',
    (address) => {
      expect(() => checkSecure(address, 'auth.loginUrl')).toThrow('/mdm/auth/loginUrl must be HTTPS');
    },
  );
});

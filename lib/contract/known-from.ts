/** The vendor's pages, by their titles. */
export const VENDOR_PAGES = {
  'REST API guidelines':
    'https://onlinehelp.informatica.com/IICS/prod/b360/en/wz-b360-rest-api/REST_API_guidelines.html',
  'Authentication method':
    'https://onlinehelp.informatica.com/IICS/prod/b360/en/wz-b360-rest-api/Authentication_method.html',
  'Request header': 'https://onlinehelp.informatica.com/IICS/prod/b360/en/wz-b360-rest-api/Request_header.html',
  'Session IDs': 'https://onlinehelp.informatica.com/IICS/prod/b360/en/wz-b360-rest-api/Session_IDs.html',
  'Login of the identity service':
    'https://onlinehelp.informatica.com/IICS/prod/datavalidation/en/fa-restapi/Login.html',
  loginOAuth: 'https://onlinehelp.informatica.com/IICS/prod/admin/en/tt-cloud-rest-api/loginOAuth.html',
  'Business entity record APIs':
    'https://onlinehelp.informatica.com/IICS/prod/b360/en/wz-b360-rest-api/Business_entity_record_APIs.html',
  'Source record API': 'https://onlinehelp.informatica.com/IICS/prod/b360/en/wz-b360-rest-api/Source_record_API.html',
  'Search API': 'https://onlinehelp.informatica.com/IICS/prod/b360/en/wz-b360-rest-api/Search_API.html',
  'Search Match API': 'https://onlinehelp.informatica.com/IICS/prod/b360/en/wz-b360-rest-api/Search_Match_API.html',
  'Merge API': 'https://onlinehelp.informatica.com/IICS/prod/b360/en/wz-b360-rest-api/Merge_API.html',
  'Unmerge API': 'https://onlinehelp.informatica.com/IICS/prod/b360/en/wz-b360-rest-api/Unmerge_API.html',
  'Relationship API': 'https://onlinehelp.informatica.com/IICS/prod/b360/en/wz-b360-rest-api/Relationship_API.html',
  'Job instance API': 'https://onlinehelp.informatica.com/IICS/prod/b360/en/wz-b360-rest-api/Job_instance_API.html',
  'Reference 360: codelists': 'https://onlinehelp.informatica.com/IICS/prod/ref360/en/reference-360/codelists.html',
  'Reference 360: export of code lists':
    'https://docs.informatica.com/master-data-management-cloud/reference-360-saas/current-version/reference-360/reference-360-rest-api/export-version-3/export-code-lists-at-a-point-in-time-to-json-format.html',
  'Reference 360: modified code values':
    'https://docs.informatica.com/master-data-management-cloud/reference-360-saas/current-version/reference-360/reference-360-rest-api/codelists/get-latest-modified-code-values-by-time-range.html',
} as const;

export type VendorPage = keyof typeof VENDOR_PAGES;

/** Who says what is stated of the API, the most certain first. */
export const SOURCES = {
  vendor: "a page of the vendor's documentation",
  service: 'the documentation of the service behind the API, of July 2021; the API may differ from it',
  clients: 'public code of other clients',
  nobody: 'nobody: a choice of this project until a tenant shows better',
} as const;

export type Source = keyof typeof SOURCES;

/** What is stated of the API, and who says so. */
export type Statement =
  | { readonly from: 'vendor'; readonly page: VendorPage; readonly says: string }
  | { readonly from: Exclude<Source, 'vendor'>; readonly says: string };

export const fromVendor = (page: VendorPage, says: string): Statement => ({ from: 'vendor', page, says });
export const fromService = (says: string): Statement => ({ from: 'service', says });
export const fromClients = (says: string): Statement => ({ from: 'clients', says });
export const fromNobody = (says: string): Statement => ({ from: 'nobody', says });

/** Statements by their names. */
export type Statements = Readonly<Record<string, Statement>>;

/** A statement with its id: the operation and the name, such as `search/path`; of all operations `all/session`. */
export type IdentifiedStatement = Statement & { readonly id: string };

/** What an operation relies on, or all of them. @param name of the operation, without its connector */
export const identify = (name: string, statements: Statements): IdentifiedStatement[] =>
  Object.entries(statements).map(([key, statement]) => Object.assign({ id: `${name}/${key}` }, statement));

/** What all operations rely on. */
export const KNOWN_OF_ALL = {
  logins: fromVendor('Authentication method', 'Logins of version 2 and 3, and `-mdm` in the host of the API.'),
  session: fromVendor('Session IDs', 'The session travels in `IDS-SESSION-ID`, whatever the login.'),
  fullMode: fromVendor(
    'REST API guidelines',
    'A session ends after 30 minutes without use. A POST is in full mode by default.',
  ),
  searchable: fromVendor('REST API guidelines', 'A written record can be searched after about a second.'),
  modelVersion: fromVendor(
    'Request header',
    '`MODEL_VERSION` holds epoch milliseconds, the same in successive requests.',
  ),
  logContext: fromService('Each request and response has `X_INFA_LOG_CTX`, the id for the log of the API.'),
  pages: fromService('Lists come in pages of ten unless `_size` asks for more.'),
  writes: fromService(
    'A write answers 201 with `Location` or 204, without a body; `INFA-MDM-CHANGELIST-ID` names what waits.',
  ),
  errors: fromClients('Errors come in several shapes, all of which are read.'),
  identityLogin: fromVendor(
    'Login of the identity service',
    'The login of the identity service, and its fields `sessionId` and `sessionExpireTime`.',
  ),
  oauthLogin: fromVendor('loginOAuth', 'The login with a token of your identity provider. A token serves one login.'),
  limits: fromNobody('429, 502, 503 and 504 pass, and `Retry-After` says when: no limits are published.'),
} as const satisfies Statements;

const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Codes that Node's tables name though no country has them. */
const NO_COUNTRY = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);
/** Of a country that has two codes, as DD and DE, one is the current. */
const isCurrent = (code: string) => new Intl.Locale(`und-${code}`).region === code;

const countries = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
  .filter((code) => !NO_COUNTRY.has(code) && isCurrent(code))
  .flatMap((code): [string, string][] => {
    const name = names.of(code);
    return name === undefined ? [] : [[code, name]];
  });

/** Names by code, of each list that a lookup may refer to. */
export const CODE_LISTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  country: Object.fromEntries(countries),
  gender: { F: 'Female', M: 'Male', X: 'Unspecified' },
  namePrefix: { MR: 'Mr', MS: 'Ms', DR: 'Dr' },
  addressType: { BILLING: 'Billing', SHIPPING: 'Shipping', HOME: 'Home' },
};

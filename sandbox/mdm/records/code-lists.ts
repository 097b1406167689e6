const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Codes in Node's tables that no country has. */
const NO_COUNTRY = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);
/** For a country with two codes, such as DD and DE, the current one. */
const isCurrent = (code: string) => new Intl.Locale(`und-${code}`).region === code;

const countries = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
  .filter((code) => !NO_COUNTRY.has(code) && isCurrent(code))
  .flatMap((code): [string, string][] => {
    const name = names.of(code);
    return name === undefined ? [] : [[code, name]];
  });

/** The code lists of lookups: names by code. */
export const CODE_LISTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  country: Object.fromEntries(countries),
  gender: { F: 'Female', M: 'Male', X: 'Unspecified' },
  namePrefix: { MR: 'Mr', MS: 'Ms', DR: 'Dr' },
  addressType: { BILLING: 'Billing', SHIPPING: 'Shipping', HOME: 'Home' },
};

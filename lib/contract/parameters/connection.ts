import Type from 'typebox';

/** A URL with one of these schemes, `https|http`. */
export const Url = (schemes: string) =>
  Type.String({
    pattern: `^(${schemes})://\\S+$`,
    'x-message': `must be a URL that starts with ${schemes.replaceAll('|', ':// or ')}://`,
  });

/** Milliseconds, at most 15 minutes. */
export const Milliseconds = (value: number) => Type.Integer({ minimum: 1, maximum: 900_000, default: value });

export const Pem = Type.String({
  pattern: '-----BEGIN [A-Z0-9 ]+-----',
  description: 'PEM.',
  'x-message': 'must be PEM, which begins with -----BEGIN',
});

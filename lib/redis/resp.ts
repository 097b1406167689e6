/** First bytes of RESP2 values, and other bytes of its lines. */
export const ARRAY = 0x2a; // *
export const STRING = 0x24; // $
export const NUMBER = 0x3a; // :
export const STATUS = 0x2b; // +
export const ERROR = 0x2d; // -
export const CR = 0x0d;
export const LF = 0x0a;
export const MINUS = 0x2d;
export const ZERO = 0x30;
export const NINE = 0x39;

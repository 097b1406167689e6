/** Pattern of well-formed text. A lone surrogate has no UTF-8 form, so Redis would store a different text. */
export const WELL_FORMED = '^\\P{Cs}*$';
/** Message for text that does not match it. Other faults of a text have the usual messages. */
export const NOT_WELL_FORMED = 'must be well-formed Unicode';

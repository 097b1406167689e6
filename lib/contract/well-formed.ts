/** Pattern of text. A lone surrogate has no UTF-8 form: Redis would store something other than what was sent. */
export const WELL_FORMED = '^\\P{Cs}*$';
/** What is said where it is not met. Other faults of a text are said as of any schema. */
export const NOT_WELL_FORMED = 'must be well-formed Unicode';

import Type from 'typebox';
import { runSettings } from '../contract/parameters/consumer.ts';

/** The settings of a run, with their defaults. */
export const RunSettings = Type.Object(runSettings);
export type RunSettings = Type.Static<typeof RunSettings>;

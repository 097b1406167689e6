/** A source record of a city, for `mdm-source-enqueue`. */
export interface CityRecord {
  businessEntity: 'c360.city';
  sourceSystem: 'geonames' | 'gazetteer';
  sourcePKey: string;
  record: {
    name: string;
    asciiName: string;
    country: { Code: string };
    population: number;
    location: { latitude: number; longitude: number };
    adminCode?: string;
    featureCode?: string;
    timeZone?: string;
  };
}

/** Source records with equal values in these fields describe one city. */
export const MATCH_FIELDS = ['asciiName', 'country'] as const;
export const matchKey = ({ record }: CityRecord) => `${record.asciiName} ${record.country.Code}`;

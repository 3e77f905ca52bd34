import { BlockList, isIP } from 'node:net'

const BITS = { 4: 32, 6: 128 } as const

/** An IP address, or a network as `10.0.0.0/8`. */
type Network = { address: string; family: 'ipv4' | 'ipv6'; prefix: number }

function parseNetwork(text: string): Network | null {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (rest.length > 0 || (version !== 4 && version !== 6) || address.includes('%')) return null
  const bits = prefix === undefined ? BITS[version] : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
  return bits >= 0 && bits <= BITS[version]
    ? { address, family: version === 4 ? 'ipv4' : 'ipv6', prefix: bits }
    : null
}

/** Whether the text is an IP address, or a network in the notation of CIDR. */
export const isNetwork = (text: string): boolean => parseNetwork(text) !== null

/** Whether the address is one of the allowed; every address if the list is empty. */
export function allowsAddress(allowed: readonly string[], address: string | null): boolean {
  if (allowed.length === 0) return true
  const networks = new BlockList()
  for (const text of allowed) {
    const network = parseNetwork(text)
    if (network) networks.addSubnet(network.address, network.prefix, network.family)
  }
  const own = address?.split('%')[0] ?? ''
  return isIP(own) > 0 && networks.check(own, isIP(own) === 4 ? 'ipv4' : 'ipv6')
}

import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { expect, it, onTestFinished } from 'vitest'
import type { Env } from '../types.ts'
import { clientAddress, networkOf } from './client-address.ts'

function createEcho(trustProxy: boolean) {
  const app = new Hono<Env>()
  app.get('/', (c) => c.json(clientAddress(c, trustProxy)))
  return app
}

async function resolveAddress(trustProxy: boolean, forwarded?: string, hostname = '127.0.0.1') {
  const server = serve({ fetch: createEcho(trustProxy).fetch, port: 0, hostname })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) =>
    server.listening ? resolve() : server.once('listening', () => resolve()),
  )
  const { port } = server.address() as AddressInfo
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return (await fetch(`http://127.0.0.1:${port}/`, { headers })).json()
}

it('is the address of the socket, not the one that the request claims', async () => {
  expect(await resolveAddress(false)).toBe('127.0.0.1')
  expect(await resolveAddress(false, '203.0.113.9')).toBe('127.0.0.1')
})

it('is IPv4 for an IPv4 client of an IPv6 socket', async () => {
  expect(await resolveAddress(false, undefined, '::')).toBe('127.0.0.1')
})

it('is the address that a trusted proxy has added, not what the client put before it', async () => {
  expect(await resolveAddress(true, '203.0.113.9')).toBe('203.0.113.9')
  expect(await resolveAddress(true, '10.9.9.9, 203.0.113.9')).toBe('203.0.113.9')
  expect(await resolveAddress(true, '10.9.9.9, 2001:db8::1')).toBe('2001:db8::1')
  expect(await resolveAddress(true)).toBe('127.0.0.1')
  expect(await resolveAddress(true, '203.0.113.9, <script>')).toBe('127.0.0.1')
})

it('is null without a socket', async () => {
  expect(await (await createEcho(false).request('/')).json()).toBeNull()
})

it('is counted by the /64 network for IPv6', () => {
  expect(networkOf('203.0.113.9')).toBe('203.0.113.9')
  const subscriber = '2001:db8:0:1::/64'
  for (const address of [
    '2001:db8:0:1::1',
    '2001:DB8::1:a:b:c:d',
    '2001:0db8:0000:0001:0:0:0:9',
    '2001:db8:0:1::1%eth0',
  ])
    expect(networkOf(address)).toBe(subscriber)
  expect(networkOf('2001:db8:0:2::1')).toBe('2001:db8:0:2::/64')
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('64:ff9b::192.0.2.1')).toBe('64:ff9b:0:0::/64')
})

import { totalmem } from 'node:os'
import type { Address } from './address.ts'

const MIB = 1024 * 1024

/**
 * Returns the server's settings; they go on its command line, so that a cluster of an earlier version gets
 * them too.
 */
export function serverSettings(address: Address, clusterName: string): Record<string, string | number> {
  const memory = Math.min(process.constrainedMemory() || totalmem(), totalmem()) / MIB
  const sharedBuffers = Math.round(Math.min(Math.max(memory / 8, 128), 1024))
  return {
    ...(address.host.startsWith('/')
      ? {
          listen_addresses: '',
          unix_socket_directories: `"${address.host.replaceAll('"', '""')}"`,
          unix_socket_permissions: '0700',
        }
      : { listen_addresses: address.host, unix_socket_directories: '' }),
    port: address.port,
    cluster_name: clusterName,
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',

    // For the pools of the main process and of MAX_WORKERS workers.
    max_connections: 256,
    shared_buffers: `${sharedBuffers}MB`,
    effective_cache_size: `${Math.round(Math.max(memory / 2, 256))}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    random_page_cost: 1.1,
    jit: 'off',
    // Parallel workers share /dev/shm, which has 64 MB in a container: a large query would fail there. One
    // core per query also keeps one request from taking all cores.
    max_parallel_workers_per_gather: 0,

    // Keeps personal data out of the log: statements, their parameters, and the texts and details of failed
    // statements (“Key (cnp)=(…) already exists”). The product logs the codes of failed statements itself.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length: 0,
    log_parameter_max_length_on_error: 0,
    log_timezone: 'UTC',
    // A file for each day of the week, in <cluster>/log.
    logging_collector: 'on',
    log_directory: 'log',
    log_filename: 'postgresql-%a.log',
    log_file_mode: '0600',
    log_truncate_on_rotation: 'on',
    log_rotation_age: '1d',
    log_rotation_size: 0,
  }
}

import { randomUUID } from 'node:crypto';
import path from 'node:path';

export type CephSettings = ReturnType<typeof cephSettings>;

export type CephPlace = {
  folder: string;
  monitorPort: number;
  gatewayPort: number;
  /** The address that the gateway listens on; default: loopback. */
  gatewayHost?: string;
  /** Folder with `tls.crt` and `tls.key`: the gateway takes connections with TLS alone. */
  tlsFolder?: string | undefined;
};

/** One of each daemon on loopback, with objects in memory; only the gateway authenticates its clients. */
export function cephSettings({
  folder,
  monitorPort,
  gatewayPort,
  gatewayHost = '127.0.0.1',
  tlsFolder,
}: CephPlace) {
  const at = (name: string) => path.join(folder, name);
  return {
    folder,
    conf: at('ceph.conf'),
    keyring: at('keyring'),
    monmap: at('monmap'),
    fsid: randomUUID(),
    osdUuid: randomUUID(),
    monitorPort,
    gatewayPort,
    gatewayHost,
    tlsFolder,
    accessKey: 'parley-test-access',
    secretKey: 'parley-test-secret-key',
    at,
  };
}

/** An S3 server, with what it takes to use it. */
export type S3Access = { endpoint: string; region: string; accessKey: string; secretKey: string };

/** Access to the gateway at an address. */
export function accessOf({ accessKey, secretKey }: CephSettings, endpoint: string): S3Access {
  return { endpoint, region: 'us-east-1', accessKey, secretKey };
}

export function confText(settings: CephSettings): string {
  const { folder, fsid, keyring, monitorPort, at } = settings;
  return `[global]
fsid = ${fsid}
mon_host = [v2:127.0.0.1:${monitorPort}/0]
public_network = 127.0.0.0/8
ms_bind_ipv6 = false
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
ms_mon_client_mode = crc
keyring = ${keyring}
run_dir = ${folder}
admin_socket =
pid_file =
log_file =
log_to_stderr = true
err_to_stderr = true
mon_data = ${at('mon')}
mon_data_avail_crit = 1
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
paxos_propose_interval = 0.05
osd_data = ${at('osd')}
osd_objectstore = memstore
memstore_device_bytes = 4294967296
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
rgw_data = ${at('rgw')}
rgw_frontends = ${frontend(settings)}
`;
}

function frontend({ gatewayHost, gatewayPort, tlsFolder }: CephSettings): string {
  const address = `${gatewayHost}:${gatewayPort}`;
  if (tlsFolder === undefined) return `beast endpoint=${address}`;
  const [certificate, key] = ['tls.crt', 'tls.key'].map((name) => path.join(tlsFolder, name));
  return `beast ssl_endpoint=${address} ssl_certificate=${certificate} ssl_private_key=${key}`;
}

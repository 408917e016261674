/** The form's offers for Fibre Channel: the array's ports, and the ports of hosts that were seen. */
import { queryOptions } from '@tanstack/react-query';

import { call, type Json, type Page } from '../../api/client';
import { at } from '../../declarations/declarations';
import type { Typed } from '../../resources/form/values';
import { isFibreChannel, type Protocol } from './commandParts';
import { KINDS } from './plan';

export const INTERFACES = 'network/fc/interfaces';

const ONLINE = 'online';
/** Of a switch's ports so many are looked through: a browser shows no more of them than a person reads. */
const MOST_SWITCHES = 50;

/** A port of the array that can serve a protocol. */
export interface ArrayPort {
  name: string;
  wwpn: string;
  isOnline: boolean;
  /** The SVM's interface there for the protocol, where it has one. */
  interface?: string;
}

export function arrayPortsQuery(svm: string, protocol: Protocol) {
  return queryOptions({
    queryKey: ['provision', 'ports', svm, protocol],
    meta: { shows: ['network/fc/ports', INTERFACES] },
    queryFn: () => arrayPorts(svm, protocol),
    enabled: Boolean(svm) && isFibreChannel(protocol),
    staleTime: 0,
  });
}

/** Return the array's ports that can serve a protocol, none for one that has no such ports. */
export async function arrayPorts(svm: string, protocol: Protocol): Promise<ArrayPort[]> {
  const { dataProtocol } = KINDS[protocol];
  if (!dataProtocol) return [];
  const [ports, interfaces] = await Promise.all([
    call<Page>('GET', 'network/fc/ports', {
      supported_protocols: dataProtocol,
      fields: 'name,wwpn,state',
    }),
    call<Page>('GET', INTERFACES, {
      'svm.name': svm,
      data_protocol: dataProtocol,
      fields: 'name,location.home_port.name',
    }),
  ]);
  return ports.records.map((port) => {
    const there = interfaces.records.find(
      (each) => at(each, 'location.home_port.name') === port['name'],
    );
    return {
      name: String(port['name']),
      wwpn: String(port['wwpn']),
      isOnline: port['state'] === ONLINE,
      ...(there && { interface: String(there['name']) }),
    };
  });
}

/**
 * Return the ports at which hosts are to reach the SVM: those of its interfaces, and the chosen ones. If
 * nobody chose and it has none, these are all that are up.
 */
export function chosenPorts(ports: readonly ArrayPort[], value: Typed | undefined): ArrayPort[] {
  const served = ports.filter((port) => port.interface);
  if (typeof value === 'string') {
    const names = value.split(' ');
    return ports.filter((port) => port.interface || names.includes(port.name));
  }
  return served.length ? served : ports.filter(({ isOnline }) => isOnline);
}

/** A port of a host that the array knows of. */
export interface SeenPort {
  wwpn: string;
  /** Its aliases, and the igroups that it is in. */
  names: string[];
  isRefused: boolean;
}

export function seenPortsQuery(svm: string) {
  return queryOptions({
    queryKey: ['provision', 'seen', svm],
    queryFn: () => seenPorts(svm),
    enabled: Boolean(svm),
    staleTime: 0,
  });
}

/**
 * Return the ports of hosts that the array knows of, by WWPN: refused ones, those that are logged in,
 * those attached to its fabrics, and those with an alias.
 */
export async function seenPorts(svm: string): Promise<SeenPort[]> {
  const inSvm = { 'svm.name': svm };
  const [refused, logins, switches, aliases, own] = await Promise.all([
    call<Page>('GET', 'protocols/san/refused-initiators', {
      ...inSvm,
      transport_protocol: 'fcp',
      fields: 'initiator.name',
    }),
    call<Page>('GET', 'network/fc/logins', { protocol: 'fcp', fields: 'initiator.wwpn,igroups' }),
    call<Page>('GET', 'network/fc/fabrics/*/switches', {
      fields: 'ports.attached_device.wwpn',
      max_records: MOST_SWITCHES,
    }),
    call<Page>('GET', 'network/fc/wwpn-aliases', { ...inSvm, fields: 'alias,wwpn' }),
    call<Page>('GET', INTERFACES, { fields: 'wwpn' }),
  ]);
  const named = [
    ...aliases.records.map((each) => [each['wwpn'], each['alias']]),
    ...logins.records.flatMap((each) =>
      ((each['igroups'] ?? []) as Json[]).map(({ name }) => [at(each, 'initiator.wwpn'), name]),
    ),
  ];
  const stopped = refused.records.map((each) => at(each, 'initiator.name'));
  const present = switches.records.flatMap(
    (each) => (at(each, 'ports.attached_device.wwpn') ?? []) as unknown[],
  );
  const loggedIn = logins.records.map((each) => at(each, 'initiator.wwpn'));
  const wwpns = new Set([...named.map(([wwpn]) => wwpn), ...stopped, ...present, ...loggedIn]);
  for (const { wwpn } of own.records) wwpns.delete(wwpn);
  return [...wwpns]
    .map((wwpn) => ({
      wwpn: String(wwpn),
      names: [...new Set(named.filter(([of]) => of === wwpn).map(([, name]) => String(name)))],
      isRefused: stopped.includes(wwpn),
    }))
    .sort((one, other) => one.wwpn.localeCompare(other.wwpn));
}

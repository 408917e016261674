/** The situation of an SVM for a protocol: its service, and the addresses at which hosts reach it. */
import { queryOptions } from '@tanstack/react-query';

import { call, type Json, type Page } from '../../api/client';
import { at } from '../../declarations/declarations';
import { hexadecimal, isNvme, type Protocol, type Rdma } from './commandParts';
import { INTERFACES } from './fibreChannel';
import { KINDS, type Service } from './plan';

export interface Situation {
  service: Service;
  /** The IQN of an iSCSI target, or the identifier of SRP's targets; '' where there is none. */
  targetName: string;
  /** See Target. */
  addresses: string[];
  /** Those at which hosts may come over RDMA, by its kind. */
  rdmaAddresses: Record<Rdma, string[]>;
}

export function situationQuery(svm: string, protocol: Protocol) {
  return queryOptions({
    queryKey: ['provision', 'situation', svm, protocol],
    meta: { shows: [KINDS[protocol].services, 'network/ip/interfaces', INTERFACES] },
    queryFn: () => situation(svm, protocol),
    staleTime: 0,
  });
}

export async function situation(svm: string, protocol: Protocol): Promise<Situation> {
  const { services, lifService, dataProtocol } = KINDS[protocol];
  const [served, reached] = await Promise.all([
    call<Page>('GET', services, { 'svm.name': svm, fields: '*' }),
    dataProtocol ? reachedByFc(svm, dataProtocol) : reachedByIp(svm, protocol, lifService!),
  ]);
  const [service] = served.records;
  return {
    service: {
      ...(service && { svmUuid: String(at(service, 'svm.uuid')) }),
      enabled: service?.['enabled'] === true,
    },
    targetName: String(at(service, 'target.name') ?? ''),
    ...reached,
  };
}

type Reached = Pick<Situation, 'addresses' | 'rdmaAddresses'>;

async function reachedByFc(svm: string, dataProtocol: string): Promise<Reached> {
  const { records } = await call<Page>('GET', INTERFACES, {
    'svm.name': svm,
    data_protocol: dataProtocol,
    enabled: true,
    fields: 'wwpn,wwnn',
  });
  const name = (record: Json, field: string) => hexadecimal(String(record[field]));
  return {
    // An interface without its port has no node.
    addresses: records
      .filter((each) => each['wwnn'])
      .map((each) =>
        dataProtocol === 'fcp'
          ? String(each['wwpn'])
          : `nn-${name(each, 'wwnn')}:pn-${name(each, 'wwpn')}`,
      ),
    rdmaAddresses: { roce: [], iwarp: [] },
  };
}

async function reachedByIp(svm: string, protocol: Protocol, lifService: string): Promise<Reached> {
  const lifs = await call<Page>('GET', 'network/ip/interfaces', {
    'svm.name': svm,
    fields: 'ip.address,enabled,services,rdma_protocols',
  });
  const offering = lifs.records.filter(
    (lif) => lif['enabled'] && (lif['services'] as string[]).includes(lifService),
  );
  const rdmaOf = (lif: Json) => (lif['rdma_protocols'] as Rdma[] | undefined)?.[0];
  const addresses = (of: Json[]) => of.map((lif) => String(at(lif, 'ip.address')));
  const over = (kind: Rdma) => addresses(offering.filter((lif) => rdmaOf(lif) === kind));
  // Where iWARP serves NVMe, TCP does not.
  const byTcp = offering.filter((lif) => protocol !== 'nvme_tcp' || rdmaOf(lif) !== 'iwarp');
  return {
    addresses: addresses(byTcp),
    rdmaAddresses: { roce: over('roce'), iwarp: protocol === 'nvme_tcp' ? over('iwarp') : [] },
  };
}

/** The group of a host: its system, the names of its hosts, and the NQN for NVMe hosts. */
export interface Group {
  osType: string;
  hosts: string[];
  targetName: string;
}

export function groupQuery(svm: string, protocol: Protocol, name: string) {
  return queryOptions({
    queryKey: ['provision', 'group', svm, protocol, name],
    meta: { shows: [KINDS[protocol].groups] },
    queryFn: () => group(svm, protocol, name),
    staleTime: 0,
  });
}

export async function group(
  svm: string,
  protocol: Protocol,
  name: string,
): Promise<Group | undefined> {
  const [members, key] = isNvme(protocol) ? ['hosts', 'nqn'] : ['initiators', 'name'];
  const { records } = await call<Page>('GET', KINDS[protocol].groups, {
    'svm.name': svm,
    name,
    fields: `*,${members}`,
  });
  const [record] = records;
  if (!record) return undefined;
  return {
    osType: String(record['os_type']),
    hosts: ((record[members!] ?? []) as Json[]).map((member) => String(member[key!])),
    targetName: String(record['target_nqn'] ?? ''),
  };
}

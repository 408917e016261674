/** The layers beneath a LUN: its volume, the aggregate, and the disks of that. */
import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client';
import { seldom } from '../../base/activity';
import type { components } from '../../generated/api';

type Schemas = components['schemas'];

export interface Layers {
  volume: Schemas['storage_volumes'];
  aggregate: Schemas['storage_aggregates'] | undefined;
  disks: Schemas['storage_disks'][];
}

export function stackQuery(uuid: string) {
  return queryOptions({
    queryKey: ['stack', uuid],
    meta: { shows: [`storage/volumes/${uuid}`, 'storage/aggregates', 'storage/disks'] },
    queryFn: async (): Promise<Layers> => {
      const inVolume = { path: { uuid }, query: { fields: 'name,state,aggregates,space' } };
      const volume = (await api.GET('/storage/volumes/{uuid}', { params: inVolume })).data!;
      const on = volume.aggregates?.[0]?.uuid;
      if (!on) return { volume, aggregate: undefined, disks: [] };
      const [aggregate, disks] = await Promise.all([
        api.GET('/storage/aggregates/{uuid}', { params: { path: { uuid: on } } }),
        api.GET('/storage/disks', {
          params: { query: { 'aggregates.uuid': on, fields: 'name,state,container_type,model' } },
        }),
      ]);
      return { volume, aggregate: aggregate.data, disks: disks.data?.records ?? [] };
    },
    refetchInterval: () => seldom(15),
  });
}

/** The software of the array: the release that runs, the slots, packages, and how an update goes. */
import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client';
import { every } from '../../base/activity';
import type { components } from '../../generated/api';

type Schemas = components['schemas'];
export type Software = Schemas['cluster_software'];
export type Image = Schemas['cluster_software_images'];
export type ReleaseChanges = NonNullable<Schemas['cluster_software_packages']['changes']>[number];

export const SOFTWARE = 'cluster/software';
const meta = { shows: [SOFTWARE] };

/** A release to restart into. One that the other slot holds is not written again: `asItIs`. */
export interface Target {
  version: string;
  asItIs: boolean;
}
const ALL = { params: { query: { fields: '*' } } } as const;

/** Seconds between two questions while an update is under way; `send` waits while none is answered. */
const WATCHING = 2;

export const isUnderWay = (software: Software | undefined) => software?.state === 'in_progress';

export const softwareQuery = queryOptions({
  queryKey: ['software'],
  meta,
  queryFn: async () => (await api.GET('/cluster/software', ALL)).data!,
  refetchInterval: ({ state }) => (isUnderWay(state.data) ? WATCHING * 1000 : every(15)),
});

export const imagesQuery = queryOptions({
  queryKey: ['software', 'images'],
  meta,
  queryFn: async () => (await api.GET('/cluster/software/images', ALL)).data?.records ?? [],
  refetchInterval: () => every(15),
});

export const packagesQuery = queryOptions({
  queryKey: ['software', 'packages'],
  meta,
  queryFn: async () => (await api.GET('/cluster/software/packages', ALL)).data?.records ?? [],
  refetchInterval: () => every(15),
});

export const downloadQuery = queryOptions({
  queryKey: ['software', 'download'],
  meta,
  queryFn: async () => (await api.GET('/cluster/software/download', ALL)).data!,
  refetchInterval: ({ state }) => (state.data?.state === 'running' ? 1000 : every(15)),
});

export const historyQuery = queryOptions({
  queryKey: ['software', 'history'],
  meta,
  queryFn: async () => {
    const query = { fields: '*', order_by: 'start_time desc', max_records: 10 };
    return (await api.GET('/cluster/software/history', { params: { query } })).data?.records ?? [];
  },
  refetchInterval: () => every(30),
});

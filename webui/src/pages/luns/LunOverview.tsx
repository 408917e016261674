import { useQuery } from '@tanstack/react-query';

import { Loading } from '../../base/Loading';
import { part } from '../../base/part';
import { at } from '../../declarations/declarations';
import { useDeclarations } from '../../declarations/declarations';
import type { OverviewProps } from '../../resources/presentation';
import { DeviceCommands } from '../provision/DeviceCommands';
import { stackQuery } from './layers';
import { Stack } from './Stack';

const MetricsView = part(() => import('../performance/MetricsView'));

/** The layers of a LUN, and the I/O of hosts. */
export default function LunOverview({ place, record }: OverviewProps) {
  const resource = useDeclarations().find('storage/luns/{lun.uuid}/metrics');
  const volume = at(record, 'location.volume.uuid');
  const { data, isPending } = useQuery(stackQuery(String(volume)));
  return (
    <>
      {isPending && <Loading />}
      {data && <Stack lun={record} {...data} />}
      <DeviceCommands record={record} />
      {resource && <MetricsView collection={`${place.api}/metrics`} resource={resource} />}
    </>
  );
}

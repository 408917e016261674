import { useQuery } from '@tanstack/react-query';

import { at } from '../../resources/declarations';
import { useDeclarations } from '../../resources/declarations';
import { DeviceCommands } from '../provision/DeviceCommands';
import type { OverviewProps } from '../../resources/made';
import { Loading } from '../../shell/Loading';
import { part } from '../../shell/part';
import { Stack } from './Stack';
import { stackQuery } from './layers';

const MetricsView = part(() => import('../performance/MetricsView'));

/** What a LUN lies on, and what hosts do with it. */
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

import { useQuery } from '@tanstack/react-query';

import { call, type Json } from '../../api/client';
import { apiPath, type Place } from '../../declarations/place';
import { DeviceCommands } from './DeviceCommands';

/** Commands for the hosts that see LUNs or namespaces which have grown. */
export default function GrownDevices({ place, records }: { place: Place; records: Json[] }) {
  return records.map((record) => {
    const path = apiPath(place.collection, place.resource, record);
    return <Grown key={path} path={path} />;
  });
}

function Grown({ path }: { path: string }) {
  const maps = path.startsWith('storage/luns') ? 'lun_maps' : 'subsystem_map';
  const { data } = useQuery({
    queryKey: ['record', path, maps],
    meta: { shows: [path] },
    queryFn: () => call<Json>('GET', path, { fields: `*,${maps}` }),
  });
  return data && <DeviceCommands record={data} isGrown />;
}

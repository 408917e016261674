import type { components } from '../../generated/api';
import type { OverviewProps } from '../../resources/presentation';
import SpaceHistory, { type SpaceFields } from '../capacity/SpaceHistory';
import { Autodelete } from './Autodelete';
import { Autosize } from './Autosize';

const FIELDS: SpaceFields = {
  size: 'space.size',
  used: 'space.used',
  provisioned: 'space.provisioned',
  snapshots: 'space.snapshot.used',
};

/** How a volume was used, when it will be full, and what follows its use by itself. */
export default function VolumeOverview({ place, record }: OverviewProps) {
  const volume = record as components['schemas']['storage_volumes'];
  return (
    <div className="facts">
      <SpaceHistory api={place.api} fields={FIELDS} />
      <Autosize settings={volume.autosize} />
      <Autodelete settings={volume.space?.snapshot?.autodelete} />
    </div>
  );
}

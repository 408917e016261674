import type { OverviewProps } from '../../resources/presentation';
import SpaceHistory, { type SpaceFields } from '../capacity/SpaceHistory';

const FIELDS: SpaceFields = {
  size: 'space.size',
  used: 'space.used',
  provisioned: 'space.provisioned',
  snapshots: 'space.snapshot.used',
};

/** How a volume was used, and when it will be full. */
export default function VolumeOverview({ place }: OverviewProps) {
  return (
    <div className="facts">
      <SpaceHistory api={place.api} fields={FIELDS} />
    </div>
  );
}

import type { OverviewProps } from '../../resources/presentation';
import { DeviceCommands } from '../provision/DeviceCommands';

/** Commands for the hosts that see a namespace. */
export default function NamespaceOverview({ record }: OverviewProps) {
  return <DeviceCommands record={record} />;
}

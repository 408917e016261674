import type { OverviewProps } from '../../resources/presentation';
import { DeviceCommands } from '../provision/DeviceCommands';

/** What is typed on the hosts that see a namespace. */
export default function NamespaceOverview({ record }: OverviewProps) {
  return <DeviceCommands record={record} />;
}

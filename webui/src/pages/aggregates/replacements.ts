import { conditionOfDisk, type Disk } from '../disks/shelves';

/**
 * Return the spares that can take the place of a disk, the best first: those in order before those
 * that need attention, then the smallest. The array takes none that is smaller than any member, and
 * none with sectors of another size than theirs.
 */
export function replacements(spares: readonly Disk[], members: readonly Disk[]): Disk[] {
  const sizes = members.flatMap(({ usable_size: size }) => size || []);
  const sectors = new Set(members.flatMap(({ bytes_per_sector: bytes }) => bytes || []));
  const hasThem = (disk: Disk) => !sectors.size || sectors.has(disk.bytes_per_sector ?? 0);
  const isWorse = (disk: Disk) => Number(conditionOfDisk(disk) !== 'ok');
  const size = (disk: Disk) => disk.usable_size ?? 0;
  return spares
    .filter((disk) => size(disk) >= Math.min(...sizes) && hasThem(disk))
    .toSorted((one, other) => isWorse(one) - isWorse(other) || size(one) - size(other));
}

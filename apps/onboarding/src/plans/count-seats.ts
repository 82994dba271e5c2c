/** "1 seat", "3 seats". */
export function countSeats(seats: number): string {
  return seats === 1 ? '1 seat' : `${seats} seats`;
}

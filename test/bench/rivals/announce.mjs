/** Tells the bench where this server listens; it ends when the bench does. */
export function announce(url) {
  process.once('disconnect', () => process.exit());
  process.send?.({ url });
}

"""Asks the owner while other things go on, with asyncio."""

import asyncio
import sys

import thumbturn


async def main() -> int:
    with thumbturn.Device("org.example.ask") as device:
        obstacle = device.obstacle()
        if obstacle:
            print(obstacle, file=sys.stderr)
            return 1
        try:
            factor = await device.verify_async("show that nothing else waits")
        except thumbturn.Canceled:
            print("not now")
            return 1
        print(f"the owner, by {factor.name.lower()}")
        return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

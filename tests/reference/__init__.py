"""Independent referees for derivatives: nothing in here knows tangent_lite."""
